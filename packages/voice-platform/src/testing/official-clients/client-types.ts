import ts from 'typescript'

/** A method as a client's types declare it. */
export interface TypedMethod {
  /** Dotted: `assistants.get`. */
  name: string
  /** `GET /assistant/{id}`, where the method's comment says so (`@request GET:/assistant/{id}`). */
  operation: string | undefined
  /** Several, where it is declared for several kinds of bodies. */
  answers: readonly ts.Type[]
}

/** A client's class, and the file that declares it. */
export interface Declared {
  file: string
  className: string
}

/** What the types of clients say, read by the compiler. */
export class ClientTypes {
  readonly checker: ts.TypeChecker
  readonly #program: ts.Program

  constructor(files: readonly string[]) {
    this.#program = ts.createProgram([...files], {
      ...{ strict: true, skipLibCheck: true, noEmit: true, types: ['node'] },
      ...{
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      },
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    })
    this.checker = this.#program.getTypeChecker()
  }

  /** All methods of a client and of the resources in it, by their dotted names. */
  methodsOf({ file, className }: Declared): Map<string, TypedMethod> {
    const source = this.#program.getSourceFile(file)
    const module = source && this.checker.getSymbolAtLocation(source)
    const found = module && this.checker.getExportsOfModule(module).find(({ name }) => name === className)
    if (!found) throw new Error(`${file} exports no ${className}.`)
    const methods = new Map<string, TypedMethod>()
    this.#walk(this.checker.getDeclaredTypeOfSymbol(found), '', methods)
    return methods
  }

  #walk(type: ts.Type, prefix: string, into: Map<string, TypedMethod>): void {
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      if (!/^[a-z]\w*$/i.test(symbol.name)) continue
      const name = prefix + symbol.name
      const own = this.checker.getTypeOfSymbol(symbol)
      const answers = own.getCallSignatures().map((signature) => this.#answerOf(signature))
      if (answers.length > 0) into.set(name, { name, operation: operationOf(symbol), answers })
      else if (prefix.split('.').length < 3) this.#walk(own, `${name}.`, into)
    }
  }

  /** What the promise resolves with; of a response with `data`, that. */
  #answerOf(signature: ts.Signature): ts.Type {
    const returned = signature.getReturnType()
    const answer = this.checker.getAwaitedType(returned) ?? returned
    const data = answer.aliasSymbol?.name === 'HttpResponse' || answer.symbol?.name === 'HttpResponse'
    const property = data && answer.getProperty('data')
    return property ? this.checker.getTypeOfSymbol(property) : answer
  }
}

function operationOf(symbol: ts.Symbol): string | undefined {
  const tag = symbol.getJsDocTags().find(({ name }) => name === 'request')
  const [, method, path] = /^(\w+):(\S+)/.exec(ts.displayPartsToString(tag?.text)) ?? []
  return method && path ? `${method} ${path}` : undefined
}
