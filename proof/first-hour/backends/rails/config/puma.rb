threads 8, 32
port ENV.fetch('PORT', 3000)
