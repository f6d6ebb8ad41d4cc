// EXP reach unsafe
void reach_error(void){} struct iovec{void*b;unsigned long n;}; extern long readv(int,const struct iovec*,int);
int main(void){ char c=0; struct iovec v={&c,1}; readv(0,&v,1); if(c) reach_error(); }
