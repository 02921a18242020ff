"""The store in PostgreSQL; imported when an address asks for it, because psycopg is an extra."""
