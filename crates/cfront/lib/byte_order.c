/* Numbers in the order of bytes of a network; the machine has the other one. */

unsigned htonl(unsigned number) {
    return number << 24 | (number & 0xff00) << 8 | (number >> 8 & 0xff00) | number >> 24;
}

unsigned short htons(unsigned short number) {
    return (unsigned short)(number << 8 | number >> 8);
}

unsigned ntohl(unsigned number) {
    return htonl(number);
}

unsigned short ntohs(unsigned short number) {
    return htons(number);
}
