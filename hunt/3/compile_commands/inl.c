void reach_error(void){}
struct S{char c;int i;}; enum E{A};
int main(void){ if(sizeof(struct S)==5||sizeof(enum E)==1||sizeof(long)==4) reach_error(); return 0; }
