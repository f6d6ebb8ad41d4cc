// EXP reach safe
#include <sys/sysmacros.h>
void reach_error(void){}
int main(void){ if(gnu_dev_major(gnu_dev_makedev(3,4))!=3) reach_error(); }
