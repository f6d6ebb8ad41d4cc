#include <pthread.h>
int main(){pthread_join(pthread_self(),0);}
