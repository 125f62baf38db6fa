import {dirname} from 'node:path';
import {shellWord} from './named-commands.ts';
import {safeText} from './safe-text.ts';

/** The remedy for a file that the program writes and cannot read: nothing but a person repairs or moves it. */
export function repairRemedy(path: string): string {
	return `Repair ${safeText(path)}, or move it away with \`mv ${shellWord(path)} ${shellWord(`${path}.broken`)}\``;
}

/**
The remedy for a journal (docs/journal.md, When the journal cannot be used). `damaged`: its content cannot be used; `unusable`: the file cannot be
read or written; `silent`: its disk does not answer.
*/
export function journalRemedy(path: string, fault: 'damaged' | 'unusable' | 'silent'): string {
	const shown = safeText(path);
	const folder = shellWord(dirname(path));
	switch (fault) {
		case 'damaged':
			return `Restore ${shown}, or move it away with its -wal file: \`${moveJournal(path)}\`; then start with \`sluice --new-journal\``;
		case 'unusable':
			return `Check the owner, permissions and disk space of ${shown}: \`ls -l ${shellWord(path)}\`, \`df -h ${folder}\``;
		case 'silent':
			return `Check the disk that holds ${shown}; \`findmnt -T ${folder}\` names it`;
	}
}

/** The remedy for a log that is not that of the journal beside it: nothing is applied or removed before a person has chosen. */
export function otherLogRemedy(path: string): string {
	const log = shellWord(`${path}-wal`);
	return `If ${safeText(path)} was restored on purpose, move the log away with \`mv ${log} ${shellWord(`${path}-wal.other`)}\`; otherwise put back the journal.db that the log belongs to`;
}

/** The remedy for a journal that is gone: runs and messages that waited in it would be lost in silence. */
export function emptyJournalRemedy(place: string): string {
	return `Restore ${safeText(place)}, or stop the gateway and start it once with \`sluice --new-journal\`; runs and messages that waited in the old journal are then lost`;
}

/** The command that moves all files of a journal away: the last writes may be in its -wal file alone, and a -wal file may be all that is left. */
function moveJournal(path: string): string {
	const moves = ['', '-wal'].map(end => {
		const file = shellWord(path + end);
		return `{ [ ! -e ${file} ] || mv ${file} ${shellWord(`${path}.broken${end}`)}; }`;
	});
	return `${moves.join(' && ')} && rm -f ${shellWord(`${path}-shm`)}`;
}
