// EXP reach safe
#define _GNU_SOURCE
#include <unistd.h>
void reach_error(void){}
int main(void){ if(gettid()<=0) reach_error(); }
