import 'reflect-metadata'
import { HttpModule, HttpService } from '@nestjs/axios'
import {
  BadGatewayException,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Logger,
  Module,
  Post,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { JwtModule, JwtService } from '@nestjs/jwt'
import type { Request } from 'express'
import { firstValueFrom } from 'rxjs'

interface Session {
  sub: string
  email: string
}

@Injectable()
class AuthGuard implements CanActivate {
  constructor(private readonly jwtService: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { user?: Session }>()
    const token = this.extractTokenFromHeader(request)
    if (!token) throw new UnauthorizedException()
    try {
      request.user = await this.jwtService.verifyAsync<Session>(token)
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }

  private extractTokenFromHeader(request: Request): string | undefined {
    const [type, token] = request.headers.authorization?.split(' ') ?? []
    return type === 'Bearer' ? token : undefined
  }
}

@Injectable()
class CallingService {
  private readonly logger = new Logger(CallingService.name)

  constructor(private readonly http: HttpService) {}

  async mintToken(userId: string): Promise<string> {
    try {
      const { data } = await firstValueFrom(
        this.http.post('/api/v1/calling/token', { userId, ttlSeconds: 900 }),
      )
      const token = data.token ?? data.jwt
      if (typeof token !== 'string' || token === '') throw new Error('the mint sent no token')
      return token
    } catch (error) {
      this.logger.error(error instanceof Error ? error.message : error)
      throw new BadGatewayException('calling is not available')
    }
  }
}

@Controller('calling')
class CallingController {
  constructor(private readonly calling: CallingService) {}

  @Post('token')
  @HttpCode(200)
  @UseGuards(AuthGuard)
  async token(@Req() request: Request & { user: Session }): Promise<{ token: string }> {
    return { token: await this.calling.mintToken(request.user.sub) }
  }
}

@Module({
  imports: [
    JwtModule.register({ global: true, secret: process.env.SESSION_SECRET }),
    HttpModule.register({
      baseURL: process.env.CALLING_API_URL,
      headers: { Authorization: `Bearer ${process.env.CALLING_API_KEY}` },
      timeout: 10_000,
      maxRedirects: 0,
    }),
  ],
  controllers: [CallingController],
  providers: [CallingService, AuthGuard],
})
class AppModule {}

const app = await NestFactory.create(AppModule)
app.enableCors({ origin: 'https://shop.example' })
await app.listen(Number(process.env.PORT), '127.0.0.1')
