// EXP reach safe
#include <pthread.h>
void reach_error(void){}
int main(void){ pthread_attr_t a; pthread_attr_init(&a); size_t s=1; pthread_attr_getguardsize(&a,&s); if(s>1000000) reach_error(); }
