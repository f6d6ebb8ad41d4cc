// EXP reach safe
#include <sys/stat.h>
void reach_error(void){}
int main(void){ mode_t a=umask(022); if(a>0777) reach_error(); }
