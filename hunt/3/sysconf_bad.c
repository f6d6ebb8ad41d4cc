// EXP reach safe
#include <unistd.h>
void reach_error(void){}
int main(void){ if(sysconf(-77)!=-1) reach_error(); }
