// EXP race unsafe
int x;
int main(void){
#pragma omp parallel for
 for(int i=0;i<4;i++) x+=i;
 return 0; }
