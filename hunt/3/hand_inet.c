// EXP reach unsafe
void reach_error(void){} extern int inet_pton(int,const char*,void*);
int main(void){ unsigned a=0; inet_pton(2,"1.2.3.4",&a); if(a) reach_error(); }
