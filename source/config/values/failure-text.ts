/** What the system's codes mean for a person; others are told by their code alone. */
const words: Readonly<Record<string, string>> = {
	EACCES: 'no permission',
	EPERM: 'no permission',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	EFBIG: 'files may not grow that large here',
	ENOTDIR: 'a part of the path is no folder',
	EISDIR: 'it is a folder',
	EEXIST: 'a file is in the way',
	ELOOP: 'its links lead in a circle',
	ENOENT: 'a folder of the path cannot be made',
	EMFILE: 'too many files are open',
};

/** Why the system refused something about a file, to be put behind a message: `: the disk is full`. Empty for other errors. */
export function failureText(error: unknown): string {
	const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
	return code === undefined ? '' : `: ${words[code] ?? code}`;
}
