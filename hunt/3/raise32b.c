// EXP reach unsafe
#include <signal.h>
void reach_error(void){}
int main(void){ raise(32); reach_error(); }
