// EXP reach unsafe
void reach_error(void){} extern int*wmemset(int*,int,unsigned long);
int main(void){ int a[4]={0}; wmemset(a,5,4); if(a[0]==5) reach_error(); }
