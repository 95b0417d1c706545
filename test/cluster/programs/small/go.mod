module apirator.io/test/small

go 1.25.0
