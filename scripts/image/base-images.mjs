import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Where the final image has Node. */
const NODE = '/nodejs/bin/node'

/**
 * Puts what the final stage needs of its base image into a root: Node, the libraries that it is linked to, the C library, and two users. All
 * else of the base image is left out, so a program that needs more of it fails here. @param {string} root @param {string} node
 */
export function putDistroless(root, node) {
  put(root, realpathSync(node), NODE)
  chmodSync(join(root, NODE), 0o755)
  for (const library of librariesOf(node)) put(root, realpathSync(library), library)
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
  )
  for (const folder of ['proc', 'dev', 'home/nonroot']) mkdirSync(join(root, folder), { recursive: true })
}

/** @param {string} root @param {string} from @param {string} to */
function put(root, from, to) {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  cpSync(from, join(root, to))
}

/** All of the C library, which native code of the package may need, too: Debian's package libc6. */
const OF_LIBC = /^lib(c|m|dl|pthread|rt|resolv|util|anl|nss_dns|nss_files)\.so\.\d+$/

/** The shared libraries of a program and the rest of its C library, as paths of this machine. @param {string} program @returns {string[]} */
function librariesOf(program) {
  const linked = [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
    ([, path = '']) => path,
  )
  const libc = dirname(linked.find((path) => basename(path) === 'libc.so.6') ?? '')
  const beside = readdirSync(libc).filter((name) => OF_LIBC.test(name))
  return [...new Set([...linked, ...beside.map((name) => join(libc, name))])]
}
