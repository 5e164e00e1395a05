-- A browser that has logged into an account holds a cookie of its own, which the end of a session leaves there: whoever
-- guesses passwords cannot keep it out. Only the SHA-256 of the cookie is here, as with sessions.
create table device_cookies (
  token_hash bytea not null,
  user_id bigint not null references users on delete cascade,
  expires_at timestamptz not null,
  primary key (token_hash, user_id)
);
create index device_cookies_user on device_cookies (user_id, expires_at);
create index device_cookies_expired on device_cookies (expires_at);

-- What a name looks like: two names with one skeleton are hard to tell apart (Unicode Technical Standard 39, section 4).
-- The table is the part of its confusables.txt (Unicode 10) that leads to the letters, digits and signs of ASCII, on which
-- the standard lets a 0 look like an O, and 1, I and | like an l; m is written rn.
create function skeleton(name text) returns text language sql immutable strict parallel safe as $$
  select replace(lower(translate(regexp_replace(regexp_replace(normalize(name, NFKD),
    -- What is not seen (Default_Ignorable_Code_Point), and the blank of Braille.
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\uFE00-\uFE0F\uFEFF\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
    '', 'g'), '\s+', ' ', 'g'), looks, likes)), 'rn', 'm')
  from (
    select string_agg(looks, '') as looks, string_agg(repeat(sign, char_length(looks)), '') as likes
    from (values
      ('''', U&'`\055d\2018\2019\201b\2032\2035\055a\05f3\02b9\02c8\02ca\02cb\02f4\02bb\02bd\02bc\02be\a78c\05d9\07f4\07f5'
        || U&'\144a\16cc'),
      ('-', U&'\2010\2012\2013\06d4\2043\02d7\2212\2796\2cba'),
      ('.', U&'\0701\0702\a60e\+010a50\0660\06f0\a4f8'),
      ('2', U&'\a75a\01a7\03e8\a644\14bf\a6ef'),
      ('3', U&'\+01d206\a7ab\021c\01b7\a76a\2ccc\0417\04e0\+016f3b\+0118ca'),
      ('4', U&'\13ce\+0118af'),
      ('5', U&'\01bc\+0118bb'),
      ('6', U&'\2cd2\0431\13ee\+0118d5'),
      ('7', U&'\+01d212\+0104d2\+0118c6'),
      ('8', U&'\09ea\0a6a\+01e8cb\0223\0222\+01031a'),
      ('9', U&'\0a67\0b68\09ed\0d6d\a76e\2cca\+0118cc\+0118ac\+0118d6'),
      ('A', U&'\0391\0410\13aa\15c5\a4ee\+016f40\+0102a0'),
      ('B', U&'\a7b4\0392\0412\13f4\15f7\a4d0\+010282\+0102a1\+010301'),
      ('C', U&'\+01f74c\+0118f2\+0118e9\2ca4\0421\13df\a4da\+0102a2\+010302\+010415\+01051c'),
      ('D', U&'\13a0\15de\15ea\a4d3'),
      ('E', U&'\22ff\0395\0415\2d39\13ac\a4f0\+0118a6\+0118ae\+010286'),
      ('F', U&'\+01d213\a798\03dc\15b4\a4dd\+0118c2\+0118a2\+010287\+0102a5\+010525'),
      ('G', U&'\050c\13c0\13f3\a4d6'),
      ('H', U&'\0397\2c8e\041d\13bb\157c\a4e7\+0102cf'),
      ('J', U&'\a7b2\037f\0408\13ab\148d\a4d9'),
      ('K', U&'\039a\2c94\041a\13e6\16d5\a4d7\+010518'),
      ('L', U&'\+01d22a\2cd0\13de\14aa\a4e1\+016f16\+0118a3\+0118b2\+01041b\+010526'),
      ('M', U&'\039c\03fa\2c98\041c\13b7\15f0\16d6\a4df\+0102b0\+010311'),
      ('N', U&'\039d\2c9a\a4e0\+010513'),
      ('O', U&'0\07c0\09e6\0b66\+0114d0\+0118e0\039f\2c9e\041e\0555\2d54\12d0\0b20\+0104c2\a4f3\+0118b5\+010292\+0102ab'
        || U&'\+010404\+010516'),
      ('P', U&'\03a1\2ca2\0420\13e2\146d\a4d1\+010295'),
      ('Q', U&'\2d55'),
      ('R', U&'\+01d216\01a6\13a1\13d2\+0104b4\1587\a4e3\+016f35'),
      ('S', U&'\0405\054f\13d5\13da\a4e2\+016f3a\+010296\+010420'),
      ('T', U&'\22a4\27d9\+01f768\03a4\2ca6\0422\13a2\a4d4\+016f0a\+0118bc\+010297\+0102b1\+010315'),
      ('U', U&'\222a\22c3\054d\1200\+0104ce\144c\a4f4\+016f42\+0118b8'),
      ('V', U&'\+01d20d\0667\06f7\0474\2d38\13d9\142f\a6df\a4e6\+016f08\+0118a0\+01051d'),
      ('W', U&'\+0118ef\+0118e6\051c\13b3\13d4\a4ea'),
      ('X', U&'\166d\2573\+010322\+0118ec\a7b3\03a7\2cac\0425\2d5d\16b7\a4eb\+010290\+0102b4\+010317\+010527'),
      ('Y', U&'\03a5\2ca8\0423\04ae\13a9\13bd\a4ec\+016f43\+0118a4\+0102b2'),
      ('Z', U&'\+0102f5\+0118e5\0396\13c3\a4dc\+0118a9'),
      ('_', U&'\07fa'),
      ('a', U&'\237a\0251\03b1\0430'),
      ('b', U&'\0184\042c\13cf\15af'),
      ('c', U&'\1d04\2ca5\0441\abaf\+01043d'),
      ('d', U&'\0501\13e7\146f\a4d2'),
      ('e', U&'\212e\ab32\0435\04bd'),
      ('f', U&'\ab35\a799\1e9d\0584'),
      ('g', U&'\0261\1d83\018d\0581'),
      ('h', U&'\04bb\0570\13c2'),
      ('i', U&'\2373\0131\026a\0269\03b9\0456\a647\04cf\ab75\13a5\+0118c3'),
      ('j', U&'\03f3\0458'),
      ('l', U&'I1|\05c0\2223\23fd\0661\06f1\+010320\+01e8c7\0196\01c0\0399\2c92\0406\04c0\05d5\05df\0627\07ca\2d4f\16c1\a4f2'
        || U&'\+016f28\+01028a\+010309'),
      ('n', U&'\0578\057c'),
      ('o', U&'\0966\0a66\0ae6\0be6\0c66\0ce6\0d66\0e50\0ed0\1040\0665\06f5\1d0f\1d11\ab3d\03bf\03c3\2c9f\043e\10ff\0585\05e1'
        || U&'\0647\06be\06c1\06d5\0d20\101d\+0104ea\+0118c8\+0118d7\+01042c'),
      ('p', U&'\2374\03c1\2ca3\0440'),
      ('q', U&'\051b\0563\0566'),
      ('r', U&'\ab47\ab48\1d26\2c85\0433\ab81'),
      ('s', U&'\a731\01bd\0455\abaa\+0118c1\+010448'),
      ('u', U&'\a79f\1d1c\ab4e\ab52\028b\03c5\057d\+0104f6\+0118d8'),
      ('v', U&'\2228\22c1\1d20\03bd\0475\05d8\+011706\aba9\+0118c0'),
      ('w', U&'\026f\1d21\0461\051d\0561\+01170a\+01170e\+01170f\ab83'),
      ('x', U&'\166e\00d7\292b\292c\2a2f\0445\1541\157d'),
      ('y', U&'\0263\1d8c\028f\1eff\ab5a\03b3\0443\04af\10e7\+0118dc'),
      ('z', U&'\1d22\ab93\+0118c4')
    ) as alike (sign, looks)
  ) as alike
$$;

-- Of the accounts that look alike already the oldest holds the name against new ones; all of them stay as they are.
alter table users add column username_skeleton text;
update users set username_skeleton = skeleton(username)
where id in (select distinct on (skeleton(username)) id from users order by skeleton(username), id);
create unique index users_username_lookalike on users (username_skeleton);

create function set_username_skeleton() returns trigger language plpgsql as $$
begin
  new.username_skeleton := skeleton(new.username);
  return new;
end $$;
create trigger users_skeleton before insert on users for each row execute function set_username_skeleton();
