// EXP reach unsafe
#include <fcntl.h>
#include <errno.h>
void reach_error(void){}
int main(void){ errno=0; fcntl(77,F_GETFL); if(errno) reach_error(); }
