import {createHash} from 'node:crypto';

/** File systems take 255 bytes; the endings and the temporary names of atomic writes need some of them. */
const longestCharacters = 180;

/**
The name of a server as the name of a file, without an ending. Two names never share one, also where upper and lower case are the same,
and none leaves its folder (docs/logins.md, Start a login): lower case letters, digits, `-`, `_` and `.` stand for themselves, everything else is %XX.
*/
export function tokenFileName(server: string): string {
	const encoded = [...Buffer.from(server, 'utf8')].map(encodeByte).join('').replace(/^\./u, '%2E');
	if (encoded.length <= longestCharacters) {
		return encoded;
	}

	// `%~` stands in no short name.
	const hash = createHash('sha256').update(server).digest('hex');
	return `${encoded.slice(0, longestCharacters - 2 - hash.length)}%~${hash}`;
}

function encodeByte(byte: number): string {
	const character = String.fromCodePoint(byte);
	return /[a-z0-9._-]/u.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
