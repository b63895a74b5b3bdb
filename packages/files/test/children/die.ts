// A reader that crashes.
throw new Error('the reader fell over')
