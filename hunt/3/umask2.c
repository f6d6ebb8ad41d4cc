// EXP reach safe
#include <sys/stat.h>
void reach_error(void){}
int main(void){ umask(022); if(umask(0)!=022) reach_error(); }
