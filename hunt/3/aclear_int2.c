// EXP reach unsafe
void reach_error(void){}
int main(void){ int x=0x101; __atomic_clear(&x,5); if(x==0x100) reach_error(); }
