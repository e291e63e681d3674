module strangers

go 1.19
