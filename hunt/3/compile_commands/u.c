void reach_error(void){}
int main(void){ char c=-1; if(c>0) reach_error(); return 0; }
