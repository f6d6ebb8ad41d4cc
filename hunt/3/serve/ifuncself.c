int f(void) __attribute__((ifunc("f")));int main(void){return f();}
