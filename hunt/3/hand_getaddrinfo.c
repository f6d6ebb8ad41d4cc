// EXP reach unsafe
void reach_error(void){} struct addrinfo; extern int getaddrinfo(const char*,const char*,const struct addrinfo*,struct addrinfo**);
int main(void){ struct addrinfo*r=0; getaddrinfo("a","b",0,&r); if(r) reach_error(); }
