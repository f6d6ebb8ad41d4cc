// EXP memsafety safe
#define _GNU_SOURCE
#include <sched.h>
int main(void){ unsigned long m=0; sched_getaffinity(0,sizeof m,(cpu_set_t*)&m); return 0; }
