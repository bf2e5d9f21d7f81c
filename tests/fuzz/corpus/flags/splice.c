#\
de\  
fine M 3
