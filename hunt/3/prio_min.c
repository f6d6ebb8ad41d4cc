// EXP reach safe
#include <sched.h>
void reach_error(void){}
int main(void){ if(sched_get_priority_max(SCHED_OTHER)!=0) reach_error(); }
