// EXP reach safe
#include <unistd.h>
void reach_error(void){}
int main(void){ if(getpagesize()<=0) reach_error(); }
