create index reviews_user on reviews (user_id);
