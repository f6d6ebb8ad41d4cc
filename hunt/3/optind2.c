// EXP reach safe
#include <unistd.h>
void reach_error(void){}
int main(void){ if(optind!=1) reach_error(); }
