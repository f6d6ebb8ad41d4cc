// EXP reach unsafe
void reach_error(void){}
int x; void __atomic_store_4(volatile void*,unsigned,int);
int main(void){ __atomic_store_4(&x,1,5); if(x==1) reach_error(); }
