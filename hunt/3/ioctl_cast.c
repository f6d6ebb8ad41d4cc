// EXP reach unsafe
#include <sys/ioctl.h>
void reach_error(void){}
int main(void){ int n=-5; ioctl(0,FIONREAD,(unsigned long)&n); if(n!=-5) reach_error(); }
