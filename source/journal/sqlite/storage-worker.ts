import {enableCompileCache} from 'node:module';
import {type MessagePort, parentPort, receiveMessageOnPort} from 'node:worker_threads';
import {type StorageReply} from '../operations/operations.ts';
import {type Storage} from './operations.ts';
import {type FileToOpen, type StorageBatch, type StorageMessage} from './storage-thread.ts';

/** A transaction of more would let the first of them wait for long. */
const maxRequests = 1000;

/** The batch, and those that arrived behind it while the disk was waited for: they share the next transaction. */
function withWaiting(port: MessagePort, first: StorageBatch): readonly StorageBatch[] {
	const batches = [first];
	for (let count = first.requests.length; count < maxRequests; ) {
		const next: {readonly message: StorageBatch} | undefined = receiveMessageOnPort(port);
		if (!next) {
			break;
		}

		batches.push(next.message);
		count += next.message.requests.length;
	}

	return batches;
}

/** As few values as possible: each object between threads costs as much as a row. */
function toReply(replies: readonly StorageReply[]) {
	const values = replies.flatMap(reply => (reply.kind === 'value' ? [reply.value] : []));
	return values.length === replies.length ? ({kind: 'values', values} as const) : ({kind: 'replies', replies} as const);
}

/** Replies to batches until the last one. */
function serve(port: MessagePort, storage: Storage): void {
	const replyTo = async (first: StorageBatch) => {
		const batches = withWaiting(port, first);
		const replies = await storage.run(batches.flatMap(({requests}) => requests));
		let from = 0;
		for (const {id, requests, buffer} of batches) {
			const reply = toReply(replies.slice(from, from + requests.length));
			port.postMessage({id, buffer, ...reply} satisfies StorageMessage, buffer ? [buffer] : []);
			from += requests.length;
		}

		if (batches.at(-1)?.isLast) {
			await storage.close();
			port.close();
		}
	};

	port.on('message', (first: StorageBatch) => void replyTo(first));
}

if (parentPort) {
	const port = parentPort;
	const post = (message: StorageMessage) => port.postMessage(message, []);
	// A thread has no cache of its program's, and the gateway waits until the file is open.
	enableCompileCache();
	const [{openStorage, toRefusal}, {openUpgraded}] = await Promise.all([
		import('./operations.ts'),
		import('./upgrade-file.ts'),
	]);
	const open = async ({path, ...options}: FileToOpen) => {
		try {
			const storage = await openUpgraded(path, () => openStorage(path, options));
			post({kind: 'opened'});
			serve(port, storage);
		} catch (caught) {
			post({kind: 'refused', problem: toRefusal(caught)});
		}
	};

	port.once('message', (file: FileToOpen) => void open(file));
}
