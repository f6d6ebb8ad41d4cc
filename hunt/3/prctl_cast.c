// EXP reach unsafe
#include <sys/prctl.h>
void reach_error(void){}
int main(void){ char b[16]={1}; prctl(PR_GET_NAME,(unsigned long)b,0,0,0); if(b[0]!=1) reach_error(); }
