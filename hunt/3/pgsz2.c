// EXP reach safe
#include <unistd.h>
void reach_error(void){}
int main(void){ if(getpagesize()!=sysconf(_SC_PAGESIZE)) reach_error(); }
