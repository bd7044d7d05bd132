# The machine code of calls.py for x86_64; a test assembles it.
# long run(long (*table)[9], long count, pid_t (*fork)(void))
    .intel_syntax noprefix
    .text
    push rbx
    push r12
    push r13
    mov rbx, rdi
    mov r12, rsi
    test rdx, rdx
    je next
    call rdx
    movsxd rax, eax
    test rax, rax
    jne out
next:
    test r12, r12
    je out
    mov rax, [rbx]
    mov rdi, [rbx + 8]
    mov rsi, [rbx + 16]
    mov rdx, [rbx + 24]
    mov r10, [rbx + 32]
    mov r8, [rbx + 40]
    mov r9, [rbx + 48]
    syscall
    mov rcx, [rbx + 56]
    test rcx, rcx
    je judged
    mov [rcx], rax
judged:
    cmp qword ptr [rbx + 64], 0
    jne done
    cmp rax, -4096
    ja failed
done:
    add rbx, 72
    dec r12
    xor eax, eax
    jmp next
failed:
    mov [rbx + 64], rax
    mov rax, -2
out:
    pop r13
    pop r12
    pop rbx
    ret
