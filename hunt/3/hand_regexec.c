// EXP reach unsafe
void reach_error(void){} extern int regexec(const void*,const char*,unsigned long,void*,int);
int main(void){ int e[2]={0}; regexec(0,"a",1,e,0); if(e[0]) reach_error(); }
