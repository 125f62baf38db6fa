/** A new window title, a wiped screen, text that reads backwards and something nobody can see. */
export const evil = '\u001B]0;owned\u0007\u009B2J\u202Eevil\u2066\u200B';
/** The same, harmless, for eyes. */
export const seen = '␛]0;owned␇‹U+009B›2J‹U+202E›evil‹U+2066›‹U+200B›';
/** Sequences that no terminal may get: operating system commands (but our title, our question for the background and links to plain addresses), eight-bit controls, direction marks, invisible signs. */
export const raw =
	/\u001B\](?!2;(?:▲\d+ )?sluice\u0007|11;\?\u0007|8;;(?:https?:\/\/[!-~]+)?(?:\u0007|\u001B\\))|[\u0080-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u;
