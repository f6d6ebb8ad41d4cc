// EXP reach unsafe
void reach_error(void){} extern int fcntl(int,int,...);
int main(void){ struct {short a,b;long c,d;int e;} n={1}; fcntl(0,5,&n); if(n.a!=1) reach_error(); }
