// EXP reach unsafe
void reach_error(void){} extern int getitimer(int,void*);
int main(void){ long a[4]={7,7,7,7}; getitimer(0,a); if(a[0]!=7) reach_error(); }
