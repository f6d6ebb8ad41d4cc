// EXP reach safe
#include <sys/sysinfo.h>
void reach_error(void){}
int main(void){ if(get_nprocs()<=0) reach_error(); }
