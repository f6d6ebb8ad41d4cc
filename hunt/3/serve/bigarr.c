int a[1000000000000];int main(void){a[5]=1;return 0;}
