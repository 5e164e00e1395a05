-- The mean colour of a picture, shown until the picture is there: '#c9b8a2'.
alter table images add column colour text constraint images_colour_hex check (colour ~ '^#[0-9a-f]{6}$');
