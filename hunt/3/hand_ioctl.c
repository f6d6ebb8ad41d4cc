// EXP reach unsafe
void reach_error(void){} extern int ioctl(int,unsigned long,...);
int main(void){ int n=0; ioctl(0,0x541B,&n); if(n) reach_error(); }
