/** A reason as the end of a line, after a colon; nothing when there is none. */
export function because(reason: string | undefined): string {
	return reason ? `: ${reason}` : '';
}
