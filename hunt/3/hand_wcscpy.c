// EXP reach unsafe
void reach_error(void){} extern int*wcscpy(int*,const int*);
int main(void){ int a[4]={0},b[4]={5,0}; wcscpy(a,b); if(a[0]==5) reach_error(); }
