/** The code of an error of the system (`ENOENT`, `EPERM`, …), if it is one. */
export function systemErrorCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
